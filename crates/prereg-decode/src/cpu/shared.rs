//! A stretch of device memory as several threads see it.

use std::ops::Range;
use std::slice;

/// Pointer and length of elements in a [`Region`](super::region::Region). Copies refer to the same elements, on every
/// thread; the region must outlive them.
///
/// The rule that makes its use sound, kept by every kernel: during one launch, each worker writes only elements of its
/// own share, and no worker reads an element that another one writes. Launches are separated by a hand-over through the
/// pool or by a barrier, both of which order memory.
pub(super) struct Shared<T> {
    start: *mut T,
    len: usize,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

// SAFETY: access goes through the unsafe methods below, whose callers answer for the absence of races.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// # Safety
    /// `start` points to `len` initialised, aligned elements that live as long as any copy is used.
    pub(super) unsafe fn new(start: *mut T, len: usize) -> Self {
        Self { start, len }
    }

    pub(super) fn len(self) -> usize {
        self.len
    }

    /// The elements `range` as another stretch.
    ///
    /// # Panics
    /// Where the range leaves the stretch.
    pub(super) fn part(self, range: Range<usize>) -> Self {
        assert!(
            range.start <= range.end && range.end <= self.len,
            "a range outside its stretch"
        );
        // SAFETY: in bounds by the assertion.
        let start = unsafe { self.start.add(range.start) };
        Self {
            start,
            len: range.end - range.start,
        }
    }

    /// All elements, for reading.
    ///
    /// # Safety
    /// Nothing writes them while the slice lives.
    pub(super) unsafe fn read<'a>(self) -> &'a [T] {
        // SAFETY: `new`'s caller vouches for the elements, this method's for the absence of writers.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// All elements, for writing.
    ///
    /// # Safety
    /// Nothing else reads or writes them while the slice lives.
    pub(super) unsafe fn write<'a>(self) -> &'a mut [T] {
        // SAFETY: `new`'s caller vouches for the elements, this method's for exclusive use.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }
}
