//! Between its start mark and its return a run allocates nothing, on any thread. Alone in its file: the counter sees
//! every allocation of the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use prereg_decode::plan::PlanKind;
use prereg_decode::shape::Shape;
use prereg_decode::weights::RandomWeights;
use prereg_decode::{Affinity, Decoder, LaunchMode, Options, Path};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's own promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_run_allocates_nothing() {
    let mut shape = Shape::named("smollm2-135m").unwrap();
    (shape.layers, shape.vocab) = (2, 500);
    for plan in PlanKind::ALL {
        let options = Options {
            plan,
            context: 8,
            rows: 5,
            threads: 2,
            affinity: Affinity::None,
            path: Path::best(),
        };
        let mut decoder =
            Decoder::new(&RandomWeights::new(shape.clone(), [1; 32]), &options).unwrap();
        decoder.fill_context([2; 32], 3).unwrap();
        decoder.capture();
        let place = decoder.snapshot();
        let mut marks = [0; 5];
        for mode in LaunchMode::ALL {
            decoder.restore(place);
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            decoder.run(mode, &mut marks).unwrap();
            decoder.read_sweep(&mut marks);
            assert_eq!(
                ALLOCATIONS.load(Ordering::Relaxed),
                before,
                "{plan}, {mode}"
            );
        }
    }
    assert!(
        ALLOCATIONS.load(Ordering::Relaxed) > 0,
        "the counter counts"
    );
}
