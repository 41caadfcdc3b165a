//! Constants of workload and target, as the lock resolved them.

use std::collections::BTreeMap;

use prereg_declaration::ConstantName;
use prereg_units::Quantity;

/// The constants of one target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants(BTreeMap<ConstantName, Quantity>);

impl Constants {
    /// The value, if the lock resolved it.
    #[must_use]
    pub fn get(&self, name: &ConstantName) -> Option<Quantity> {
        self.0.get(name).copied()
    }
}

impl FromIterator<(ConstantName, Quantity)> for Constants {
    fn from_iter<I: IntoIterator<Item = (ConstantName, Quantity)>>(constants: I) -> Self {
        Self(constants.into_iter().collect())
    }
}
