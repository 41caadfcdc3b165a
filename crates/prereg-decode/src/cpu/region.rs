//! Anonymous memory on huge pages: the one place that maps and unmaps.

use std::io;
use std::ops::Range;
use std::ptr::{self, NonNull};

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

use super::shared::Shared;

/// Size and alignment of a transparent huge page on the machines this runs on; elsewhere only an alignment.
const HUGE_PAGE: usize = 2 << 20;

/// Space between the starts of two parts, so that no two threads write to one cache line (or to a pair of lines that
/// are fetched together).
const ALIGNMENT: usize = 128;

/// Numbers for which all bit patterns, zero among them, are values.
pub(super) trait Plain: Copy + Send + Sync {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for f32 {}

/// A mapping of zeros, given back when dropped.
pub(super) struct Region {
    mapping: NonNull<u8>,
    mapped: usize,
    start: usize,
    len: usize,
}

// SAFETY: the region is memory owned by this value; it is reached through `Shared`, whose callers order their accesses.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Maps `len` bytes of zeros and asks for huge pages. Nothing is resident until it is touched.
    pub(super) fn new(len: usize) -> io::Result<Self> {
        let mapped = len + HUGE_PAGE;
        // SAFETY: a fresh private mapping at an address of the kernel's choice overlaps nothing.
        let mapping = unsafe {
            mmap_anonymous(
                ptr::null_mut(),
                mapped,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE,
            )
        }?;
        let Some(mapping) = NonNull::new(mapping.cast::<u8>()) else {
            return Err(io::ErrorKind::OutOfMemory.into());
        };
        let start = mapping.as_ptr().align_offset(HUGE_PAGE);
        let region = Self {
            mapping,
            mapped,
            start,
            len,
        };
        // SAFETY: the range lies in the mapping just made, and the advice does not change its contents. A kernel
        // without huge pages refuses; the memory report then says how many were obtained.
        let _ = unsafe { madvise(region.first().cast(), len, Advice::LinuxHugepage) };
        Ok(region)
    }

    fn first(&self) -> *mut u8 {
        // SAFETY: `start` is below `HUGE_PAGE`, and the mapping is that much longer than `len`.
        unsafe { self.mapping.as_ptr().add(self.start) }
    }

    /// Addresses of the usable bytes.
    pub(super) fn addresses(&self) -> Range<usize> {
        let first = self.first().addr();
        first..first + self.len
    }

    /// The part that a [`Layout`] reserved, as elements.
    ///
    /// # Panics
    /// Where the part is not inside the region: the layout belonged to another.
    pub(super) fn part<T: Plain>(&self, part: Part) -> Shared<T> {
        let bytes = part.elements * size_of::<T>();
        assert!(
            part.offset.is_multiple_of(ALIGNMENT) && part.offset + bytes <= self.len,
            "a part outside its region"
        );
        // SAFETY: in bounds by the assertion, and aligned, the region's start being so; zeros are values of `T`.
        unsafe { Shared::new(self.first().add(part.offset).cast::<T>(), part.elements) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` and nothing that points into it outlives its owner.
        let _ = unsafe { munmap(self.mapping.as_ptr().cast(), self.mapped) };
    }
}

/// A reserved stretch of a region.
#[derive(Clone, Copy)]
pub(super) struct Part {
    offset: usize,
    elements: usize,
}

/// Reserves stretches one after the other, before the region that will hold them is mapped.
#[derive(Default)]
pub(super) struct Layout {
    len: usize,
}

impl Layout {
    /// Room for `elements` of `T`.
    pub(super) fn reserve<T: Plain>(&mut self, elements: usize) -> Part {
        let part = Part {
            offset: self.len,
            elements,
        };
        self.len = (self.len + elements * size_of::<T>()).next_multiple_of(ALIGNMENT);
        part
    }

    /// Bytes reserved so far.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}
