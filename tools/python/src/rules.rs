//! `Rules`: the seven rule sets.

use crate::arguments::RulesArgument;
use oware::rules::Slam;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A rule set.
///
/// `Rules("abapa")` and `Rules.ABAPA` are the same. Wherever a function takes rules, the name will do.
#[pyclass(module = "oware", frozen, eq, ord, hash, skip_from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Rules(pub(crate) oware::rules::Rules);

#[pymethods]
impl Rules {
    /// The rule set with a name. `ValueError` names all of them if there is none.
    #[new]
    fn new(name: RulesArgument) -> Self {
        Self(name.0)
    }

    #[classattr]
    const AWARI: Self = Self(oware::rules::Rules::Awari);
    #[classattr]
    const ABAPA: Self = Self(oware::rules::Rules::Abapa);
    #[classattr]
    const WARI: Self = Self(oware::rules::Rules::Wari);
    #[classattr]
    const LEAVE_FIRST: Self = Self(oware::rules::Rules::LeaveFirst);
    #[classattr]
    const LEAVE_LAST: Self = Self(oware::rules::Rules::LeaveLast);
    #[classattr]
    const OPPONENT_TAKES_REST: Self = Self(oware::rules::Rules::OpponentTakesRest);
    #[classattr]
    const TWO_LAP: Self = Self(oware::rules::Rules::TwoLap);

    /// All rule sets, the default first.
    #[staticmethod]
    fn all(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, oware::rules::Rules::ALL.map(Self))
    }

    /// The name in command lines and file names.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The fate of a move that would capture all of the opponent's seeds.
    #[getter]
    fn slam(&self) -> &'static str {
        match self.0.slam() {
            Slam::Illegal => "illegal",
            Slam::CapturesNothing => "captures-nothing",
            Slam::Captures => "captures",
            Slam::LeavesFirst => "leaves-first",
            Slam::LeavesLast => "leaves-last",
            Slam::EndsGame => "ends-game",
        }
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (&'static str,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.0.name(),))
    }
}
