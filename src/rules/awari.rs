//! The solved game (Allis 1991, Lincke 2002, Romein & Bal 2002) and most rule books: a slam is illegal.

use super::{Path, Policy, Rules, Slam};

/// The `awari` rule set.
#[derive(Clone, Copy, Debug)]
pub struct Awari;

impl Policy for Awari {
    const RULES: Rules = Rules::Awari;
    const PATH: Path = Path::Circle;
    const SLAM: Slam = Slam::Illegal;
}
