//! Binomial tails.

/// P(Bin(n, ½) ≤ k), exact to rounding: sums of binomial coefficients scaled by powers of two.
#[must_use]
pub fn half_at_most(n: usize, k: usize) -> f64 {
    if k >= n {
        return 1.0;
    }
    // The upper tail is the mirror image of the lower one; the shorter sum is the exact one.
    if k >= n / 2 && n > 0 {
        return 1.0 - lower_half_tail(n, n - k - 1);
    }
    lower_half_tail(n, k)
}

/// P(Bin(n, ½) ≥ k).
#[must_use]
pub fn half_at_least(n: usize, k: usize) -> f64 {
    if k == 0 {
        return 1.0;
    }
    if k > n {
        return 0.0;
    }
    half_at_most(n, n - k)
}

fn lower_half_tail(n: usize, k: usize) -> f64 {
    half_tails(n).nth(k).unwrap_or(1.0)
}

/// P(Bin(n, ½) ≤ 0), P(Bin(n, ½) ≤ 1), … up to n.
pub(crate) fn half_tails(n: usize) -> impl Iterator<Item = f64> {
    // Terms C(n, i) grow past f64's range for n > 1029: both are kept as x · 2^(512 · shift).
    const STEP: i32 = 512;
    let down = libm::scalbn(1.0, -STEP);
    let (mut term, mut sum, mut shift) = (0.0_f64, 0.0_f64, 0_i32);
    (0..=n).map(move |i| {
        term = if i == 0 {
            1.0
        } else {
            term * (n - i + 1) as f64 / i as f64
        };
        sum += term;
        if term > 1e200 {
            (term, sum, shift) = (term * down, sum * down, shift + 1);
        }
        let scale = STEP
            .saturating_mul(shift)
            .saturating_sub(i32::try_from(n).unwrap_or(i32::MAX));
        libm::scalbn(sum, scale)
    })
}

/// P(Bin(n, p) ≥ k), by summation of terms in logarithms. A `p` outside 0..=1 counts as the nearer
/// end.
#[must_use]
pub fn at_least(n: usize, p: f64, k: usize) -> f64 {
    if k == 0 || p >= 1.0 && k <= n {
        return 1.0;
    }
    if k > n || p <= 0.0 || p.is_nan() {
        return 0.0;
    }
    let (log_p, log_q) = (libm::log(p), libm::log1p(-p));
    let mut log_choose = 0.0;
    let mut sum = 0.0;
    for i in (k..=n).rev() {
        sum += libm::exp(log_choose + i as f64 * log_p + (n - i) as f64 * log_q);
        log_choose += libm::log(i as f64 / (n - i + 1) as f64);
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tails_are_exact_fractions() {
        assert_eq!(half_at_most(10, 1), 11.0 / 1024.0);
        assert_eq!(half_at_most(5, 0), 1.0 / 32.0);
        assert_eq!(half_at_most(10, 5), 638.0 / 1024.0);
        assert_eq!(half_at_least(10, 9), 11.0 / 1024.0);
        assert_eq!(half_at_most(0, 0), 1.0);
        assert_eq!(half_at_most(1, 0), 0.5);
    }

    #[test]
    fn tails_beyond_the_range_of_the_coefficients_stay_right() {
        assert!((half_at_most(2000, 900) / 4.228_544_767_751_964e-6 - 1.0).abs() < 1e-10);
        assert_eq!(half_at_most(3000, 10), 0.0);
        assert!((half_at_most(4001, 2000) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn lower_and_upper_tails_complement_each_other() {
        for n in 1..60 {
            for k in 0..n {
                let total = half_at_most(n, k) + half_at_least(n, k + 1);
                assert!((total - 1.0).abs() < 1e-15, "n {n} k {k}");
            }
        }
    }

    #[test]
    fn the_general_tail_agrees_with_the_exact_one_at_one_half() {
        for n in [1, 5, 10, 37, 200] {
            for k in 0..=n + 1 {
                let difference = at_least(n, 0.5, k) - half_at_least(n, k);
                assert!(difference.abs() < 1e-12, "n {n} k {k}");
            }
        }
    }

    #[test]
    fn certain_and_impossible_events_are_exact() {
        assert_eq!(at_least(10, 1.0, 10), 1.0);
        assert_eq!(at_least(10, 0.0, 1), 0.0);
        assert_eq!(at_least(10, 0.0, 0), 1.0);
        assert_eq!(at_least(10, 0.3, 11), 0.0);
        assert_eq!(at_least(10, f64::NAN, 1), 0.0);
    }
}
