//! Impulses that bring rates into their bounds, each with a greatest impulse.
//!
//! Rates are `r + A lambda`. What is to be found is the least of
//!
//! ```text
//! lambda . A lambda / 2 + lambda . (r - bound)        lower bound where lambda > 0, else upper
//! ```
//!
//! with every impulse up to its most. Gauss and Seidel's sweeps guess which rows act; then one row
//! at a time is added or let go until the rates are exact. Each sweep and each exchange lowers the
//! sum above, which begins at 0, so whatever is found when the work ends is no worse than no
//! impulse.

/// A pivot below this share of its diagonal belongs to a row that follows from others.
const NO_PIVOT: f64 = 1e-10;

/// Rates within this share of the largest are where they should be.
const EXACT: f64 = 1e-10;

/// Sweeps that guess which rows act.
const SWEEPS: usize = 10;

/// Exchanges for each row at most. The random problems of the tests end within it; rows that follow
/// from others might go on for longer, and what is found by then is feasible.
const EXCHANGES: usize = 5;

/// The interval in which a rate should be, and the greatest impulse to that end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) most: f64,
    /// By how much less the rate may change for each unit of impulse: above 0 for springs.
    pub(super) soft: f64,
}

impl Bound {
    /// Any rate will do.
    pub(super) const NONE: Self =
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, most: 0.0, soft: 0.0 };

    /// The impulse for a row of which one unit changes the rate by the inverse effective mass, if
    /// the rate is this without it.
    pub(super) fn impulse(&self, rate: f64, inv_effective_mass: f64) -> f64 {
        let missing = if rate > self.high {
            self.high - rate
        } else if rate < self.low {
            self.low - rate
        } else {
            0.0
        };
        (missing / inv_effective_mass).max(-self.most).min(self.most)
    }

    /// What a row with this impulse does.
    fn role(&self, impulse: f64) -> Role {
        if self.most == 0.0 || (impulse == 0.0 && self.low < self.high) {
            Role::Idle
        } else if impulse <= -self.most {
            Role::Down
        } else if impulse >= self.most {
            Role::Up
        } else if impulse < 0.0 {
            Role::High
        } else {
            Role::Low
        }
    }

    /// What a row that does not act should do at this rate, and how far the rate is off.
    fn wish(&self, role: Role, rate: f64, slack: f64) -> Option<(f64, Role)> {
        let [up, down] = [self.low - rate, rate - self.high];
        let (by, role) = match role {
            Role::Idle if up > down => (up, Role::Low),
            Role::Idle => (down, Role::High),
            Role::Up => (-up, Role::Low),
            Role::Down => (-down, Role::High),
            Role::Low | Role::High | Role::Blocked => return None,
        };
        (by > slack && self.most > 0.0).then_some((by, role))
    }

    /// How far the impulse of a row that acts may change, and what the row does there.
    fn end(&self, role: Role, change: f64) -> (f64, Role) {
        let is_exact = self.low == self.high;
        match (role, change > 0.0) {
            (Role::High, true) if !is_exact => (0.0, Role::Idle),
            (Role::Low, false) if !is_exact => (0.0, Role::Idle),
            (_, true) => (self.most, Role::Up),
            (_, false) => (-self.most, Role::Down),
        }
    }
}

/// What a row does: nothing, holds its lower or upper bound, pushes with all it has; or can do
/// nothing, because the joints leave it no way to move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Idle,
    Low,
    High,
    Down,
    Up,
    Blocked,
}

/// How rows act on each other: `A`, row by row up to the diagonal. A row of zeros is one that
/// joints leave no way to move.
#[derive(Default)]
pub(super) struct Mobility(Vec<Vec<f64>>);

impl Mobility {
    /// Adds a row with its entries up to the diagonal.
    pub(super) fn push(&mut self, entries: Vec<f64>) {
        self.0.push(entries);
    }

    /// The same with what soft rows give way by themselves.
    fn softened(&self, bounds: &[Bound]) -> Self {
        let mut softened = Self(self.0.clone());
        for (row, bound) in softened.0.iter_mut().zip(bounds) {
            if let Some(diagonal) = row.last_mut().filter(|diagonal| **diagonal > 0.0) {
                *diagonal += bound.soft;
            }
        }
        softened
    }

    fn entry(&self, a: usize, b: usize) -> f64 {
        self.0[a.max(b)][a.min(b)]
    }

    /// The impulses that bring rates into their bounds; those of soft rows, what they leave of
    /// them.
    pub(super) fn impulses(&self, rates: &[f64], bounds: &[Bound]) -> Vec<f64> {
        match bounds.iter().any(|bound| bound.soft > 0.0) {
            true => self.softened(bounds).exact(rates, bounds),
            false => self.exact(rates, bounds),
        }
    }

    fn exact(&self, rates: &[f64], bounds: &[Bound]) -> Vec<f64> {
        let mut now = rates.to_vec();
        let mut impulses = vec![0.0; rates.len()];
        for _ in 0..SWEEPS {
            self.sweep(&mut now, &mut impulses, bounds);
        }
        self.refine(rates, &mut impulses, bounds);
        impulses
    }

    fn sweep(&self, rates: &mut [f64], impulses: &mut [f64], bounds: &[Bound]) {
        for (row, bound) in bounds.iter().enumerate() {
            let inv_effective_mass = self.entry(row, row);
            if inv_effective_mass == 0.0 {
                continue;
            }
            let impulse =
                bound.impulse(rates[row] - inv_effective_mass * impulses[row], inv_effective_mass);
            let change = impulse - impulses[row];
            if change != 0.0 {
                impulses[row] = impulse;
                for (other, rate) in rates.iter_mut().enumerate() {
                    *rate += change * self.entry(row, other);
                }
            }
        }
    }

    /// Makes impulses exact, with one row more or less to act at a time.
    fn refine(&self, rates: &[f64], impulses: &mut [f64], bounds: &[Bound]) {
        let both = impulses.iter().zip(bounds);
        let mut roles: Vec<Role> = both.map(|(&push, bound)| bound.role(push)).collect();
        for (row, role) in roles.iter_mut().enumerate() {
            if self.entry(row, row) == 0.0 {
                *role = Role::Blocked;
            }
        }
        let slack = EXACT * rates.iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
        for _ in 0..EXCHANGES * (1 + rates.len()) {
            if let Some((row, role)) = self.advance(rates, impulses, &roles, bounds) {
                roles[row] = role;
                continue;
            }
            let wish = |row: usize| {
                let rate = self.rate(rates, impulses, row);
                bounds[row].wish(roles[row], rate, slack).map(|(by, role)| (by, row, role))
            };
            let wishes = (0..rates.len()).filter_map(wish);
            let Some((_, row, role)) = wishes.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
            roles[row] = role;
        }
    }

    /// Moves impulses to where all acting rows hold their bounds; or as far as one of them may go,
    /// and what becomes of that one.
    fn advance(
        &self,
        rates: &[f64],
        impulses: &mut [f64],
        roles: &[Role],
        bounds: &[Bound],
    ) -> Option<(usize, Role)> {
        let acts = |row: usize| matches!(roles[row], Role::Low | Role::High);
        let acting: Vec<usize> = (0..rates.len()).filter(|&row| acts(row)).collect();
        let missing = |&row: &usize| {
            let bound = &bounds[row];
            let aim = if roles[row] == Role::Low { bound.low } else { bound.high };
            aim - self.rate(rates, impulses, row)
        };
        let changes = self.solved(&acting, acting.iter().map(missing).collect());
        let mut way = 1.0;
        let mut first = None;
        for (&row, change) in acting.iter().zip(&changes).filter(|(_, change)| **change != 0.0) {
            let (end, role) = bounds[row].end(roles[row], *change);
            let share = (end - impulses[row]) / change;
            if share < way {
                way = share.max(0.0);
                first = Some((row, role, end));
            }
        }
        for (&row, change) in acting.iter().zip(&changes) {
            impulses[row] += way * change;
        }
        let (row, role, end) = first?;
        impulses[row] = end;
        Some((row, role))
    }

    fn rate(&self, rates: &[f64], impulses: &[f64], row: usize) -> f64 {
        let pushes = impulses.iter().enumerate();
        rates[row] + pushes.map(|(other, push)| push * self.entry(row, other)).sum::<f64>()
    }

    /// Solves for some of the rows, densely; those that follow from others get 0.
    fn solved(&self, rows: &[usize], mut side: Vec<f64>) -> Vec<f64> {
        let n = rows.len();
        let mut lower: Vec<Vec<f64>> = Vec::with_capacity(n);
        let mut inv_pivots = Vec::with_capacity(n);
        for i in 0..n {
            let mut line: Vec<f64> = (0..=i).map(|j| self.entry(rows[i], rows[j])).collect();
            let diagonal = line[i];
            for j in 0..i {
                let sum: f64 = (0..j).map(|k| line[k] * lower[j][k]).sum();
                line[j] -= sum;
            }
            for j in 0..i {
                let scaled: f64 = line[j] * inv_pivots[j];
                line[i] -= scaled * line[j];
                side[i] -= scaled * side[j];
                line[j] = scaled;
            }
            let is_pivot = line[i] > NO_PIVOT * diagonal;
            inv_pivots.push(if is_pivot { line[i].recip() } else { 0.0 });
            lower.push(line);
        }
        for i in (0..n).rev() {
            let below: f64 = (i + 1..n).map(|j| lower[j][i] * side[j]).sum();
            side[i] = if inv_pivots[i] == 0.0 { 0.0 } else { side[i] * inv_pivots[i] - below };
        }
        side
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `B Bᵀ`, which is not negative.
    fn mobility(b: &[Vec<f64>]) -> Mobility {
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let row = |i: usize| (0..=i).map(|j| dot(&b[i], &b[j])).collect();
        Mobility((0..b.len()).map(row).collect())
    }

    fn bound() -> impl Strategy<Value = Bound> {
        let motor = (-1.0..1.0, 0.0..2.0);
        prop_oneof![
            limit(),
            motor.prop_map(|(speed, most)| Bound { low: speed, high: speed, most, soft: 0.0 }),
        ]
    }

    fn limit() -> impl Strategy<Value = Bound> {
        (-1.0..0.0, 0.0..1.0).prop_map(|(low, high)| Bound {
            low,
            high,
            most: f64::INFINITY,
            soft: 0.0,
        })
    }

    type Given = (Vec<f64>, f64, Bound);

    fn rows(
        width: usize,
        bound: impl Strategy<Value = Bound>,
    ) -> impl Strategy<Value = Vec<Given>> {
        let row = (prop::collection::vec(-1.0..1.0, width), -3.0..3.0, bound);
        prop::collection::vec(row, 1..10)
    }

    proptest! {
        #[test]
        fn every_row_is_in_its_bounds_or_does_what_it_may(rows in rows(12, bound())) {
            let vectors: Vec<Vec<f64>> = rows.iter().map(|row| row.0.clone()).collect();
            let rates: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let bounds: Vec<Bound> = rows.iter().map(|row| row.2).collect();
            let mobility = mobility(&vectors);
            let impulses = mobility.impulses(&rates, &bounds);
            for (row, bound) in bounds.iter().enumerate() {
                let [rate, push] = [mobility.rate(&rates, &impulses, row), impulses[row]];
                prop_assert!(push.abs() <= bound.most * (1.0 + 1e-12), "{push} of {bound:?}");
                prop_assert!(rate >= bound.low - 1e-8 || push >= bound.most, "{rate} {bound:?}");
                prop_assert!(rate <= bound.high + 1e-8 || push <= -bound.most, "{rate} {bound:?}");
                prop_assert!(push <= 0.0 || rate <= bound.low + 1e-8, "down at {rate} {bound:?}");
                prop_assert!(push >= 0.0 || rate >= bound.high - 1e-8, "up at {rate} {bound:?}");
            }
        }

        #[test]
        fn limits_never_add_energy(rows in rows(4, limit())) {
            let vectors: Vec<Vec<f64>> = rows.iter().map(|row| row.0.clone()).collect();
            let rates: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let bounds: Vec<Bound> = rows.iter().map(|row| row.2).collect();
            let mobility = mobility(&vectors);
            let impulses = mobility.impulses(&rates, &bounds);
            let mean = |row: usize| 0.5 * (rates[row] + mobility.rate(&rates, &impulses, row));
            let gained: f64 = (0..rates.len()).map(|row| impulses[row] * mean(row)).sum();
            prop_assert!(gained <= 1e-9, "{gained}");
        }
    }
}
