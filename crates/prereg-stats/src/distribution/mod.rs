//! The few laws that intervals and power need: binomial, normal, Student.

pub mod binomial;
pub mod normal;
pub mod student;
