//! Binomial coefficients, at compile time.

/// C(n, k), exact; the product of a prefix of factors is always divisible.
pub(crate) const fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut result = 1u64;
    let mut factor = 0;
    while factor < k {
        result = result * (n - factor) / (factor + 1);
        factor += 1;
    }
    result
}
