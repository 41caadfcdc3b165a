//! How likely a study of several claims is to say one wrong thing.

use prereg_declaration::{Declaration, Interval};
use serde::Serialize;

use crate::significant::rounded;

/// Bounds on the probability that at least one verdict of an experiment is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FamilyWise {
    /// Claims.
    pub claims: usize,
    /// Verdicts: claims, each on each of its targets.
    pub verdicts: usize,
    /// P(at least one false pass) is at most this.
    pub alpha_pass_at_least_one: f64,
    /// P(at least one false falsified) is at most this.
    pub alpha_falsified_at_least_one: f64,
    /// The same in words.
    pub note: String,
}

/// The bounds of a declaration, by Boole's inequality: k verdicts at α each are all right with
/// probability at least 1 − kα, however they depend on each other. Under a census nothing is inferred,
/// so chance makes no verdict wrong.
#[must_use]
pub fn family_wise(declaration: &Declaration) -> FamilyWise {
    let claims = declaration.claims.len();
    let verdicts: usize = declaration
        .claims
        .values()
        .map(|claim| claim.on.len())
        .sum();
    let infers = declaration.inference.interval != Interval::Census;
    let at_least_one = |alpha: f64| {
        if infers {
            rounded((alpha * verdicts as f64).min(1.0))
        } else {
            0.0
        }
    };
    let alpha_pass = at_least_one(declaration.inference.alpha_pass);
    let alpha_falsified = at_least_one(declaration.inference.alpha_falsified);
    let counted = |count: usize, noun: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {noun}{plural}")
    };
    let counts = format!(
        "{} on {}",
        counted(verdicts, "verdict"),
        counted(claims, "claim")
    );
    let note = format!(
        "{counts}: the probability of at least one false pass is at most {alpha_pass}, that of at \
         least one false falsified at most {alpha_falsified}, however the verdicts depend on each \
         other"
    );
    let note = if infers {
        note
    } else {
        format!("{counts}: a census, which infers nothing, so that chance makes none of them wrong")
    };
    FamilyWise {
        claims,
        verdicts,
        alpha_pass_at_least_one: alpha_pass,
        alpha_falsified_at_least_one: alpha_falsified,
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::declaration;

    #[test]
    fn every_claim_counts_once_on_each_of_its_targets() {
        let mut declaration = declaration();
        let mut second = declaration.claims["faster"].clone();
        second.on = vec!["cpu".to_owned(), "h100".to_owned()];
        declaration.claims.insert("second".to_owned(), second);
        declaration.inference.alpha_falsified = 0.01;
        let found = family_wise(&declaration);
        assert_eq!((found.claims, found.verdicts), (2, 3));
        assert_eq!(found.alpha_pass_at_least_one, 0.15);
        assert_eq!(found.alpha_falsified_at_least_one, 0.03);
        assert_eq!(
            found.note,
            "3 verdicts on 2 claims: the probability of at least one false pass is at most 0.15, \
             that of at least one false falsified at most 0.03, however the verdicts depend on each \
             other"
        );
    }

    #[test]
    fn a_census_has_no_error_of_inference() {
        let mut declaration = declaration();
        declaration.inference.interval = Interval::Census;
        let found = family_wise(&declaration);
        let bounds = [
            found.alpha_pass_at_least_one,
            found.alpha_falsified_at_least_one,
        ];
        assert_eq!(bounds, [0.0, 0.0]);
        assert_eq!(
            found.note,
            "1 verdict on 1 claim: a census, which infers nothing, so that chance makes none of them \
             wrong"
        );
    }

    #[test]
    fn a_probability_is_at_most_one() {
        let mut declaration = declaration();
        let targets = (0..30).map(|i| format!("gpu{i}"));
        declaration.claims.get_mut("faster").unwrap().on = targets.collect();
        assert_eq!(family_wise(&declaration).alpha_pass_at_least_one, 1.0);
    }
}
