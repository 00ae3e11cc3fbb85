//! Symmetric positive systems of 3 x 3 blocks, by conjugate gradients.
//!
//! With `C Cᵀ` the blocks of the diagonal, `C⁻¹ A C⁻ᵀ` is `I + L + Lᵀ`, `L` below the diagonal.
//! What is solved has `I + L` and its transpose divided out (symmetric Gauss-Seidel), and a product
//! with it costs two triangular solutions, no more than one with `A` [Eisenstat81]:
//!
//! ```text
//! (I + L)⁻¹ (I + L + Lᵀ) (I + L)⁻ᵀ p  =  t + (I + L)⁻¹ (p - t),      t = (I + L)⁻ᵀ p
//! ```

use glam::{DMat3, DVec3};

/// Rounds at most: what is left after so many is a little more damping.
const ROUNDS: usize = 400;

/// The residual at the end as a part of the load, squared: a hundredth of what ties leave.
const SMALL: f64 = 1e-10;

/// What is left of a number on the diagonal by rounding, as a share of it: contacts of a light body
/// are so much stiffer than its mass.
const ROUNDING: f64 = 1e-15;

/// A matrix that is ready to be solved for.
pub(super) struct Gradients {
    /// The inverses of `C`.
    scales: Vec<DMat3>,
    /// `L` by rows; a column may come twice.
    rows: Vec<u32>,
    columns: Vec<u32>,
    blocks: Vec<DMat3>,
}

impl Gradients {
    /// Of blocks on the diagonal and symmetric ones besides it, each given once, on either side.
    pub(super) fn new(diagonal: &[DMat3], beside: &[(u32, u32, DMat3)]) -> Self {
        let scales: Vec<_> = diagonal.iter().map(|block| root(block).inverse()).collect();
        let mut rows = vec![0; diagonal.len() + 1];
        beside.iter().for_each(|&(p, q, _)| rows[p.max(q) as usize + 1] += 1);
        for row in 0..diagonal.len() {
            rows[row + 1] += rows[row];
        }
        let mut next = rows.clone();
        let mut columns = vec![0; beside.len()];
        let mut blocks = vec![DMat3::ZERO; beside.len()];
        for &(p, q, block) in beside {
            let (row, column) = (p.max(q), p.min(q));
            let place = next[row as usize] as usize;
            next[row as usize] += 1;
            columns[place] = column;
            blocks[place] = scales[row as usize] * block * scales[column as usize].transpose();
        }
        Self { scales, rows, columns, blocks }
    }

    /// The solution for a load that is small against another one.
    pub(super) fn solved(&self, load: &[DVec3], whole: &[DVec3]) -> Vec<DVec3> {
        let enough = SMALL * self.given(whole).iter().map(|r| r.length_squared()).sum::<f64>();
        let mut left = self.given(load);
        let mut toward = left.clone();
        let mut found = vec![DVec3::ZERO; load.len()];
        let mut size: f64 = left.iter().map(|r| r.length_squared()).sum();
        let [mut image, mut back] = [found.clone(), found.clone()];
        for _ in 0..ROUNDS {
            if size.is_nan() || size <= enough {
                break;
            }
            self.product(&toward, &mut image, &mut back);
            let along: f64 = toward.iter().zip(&image).map(|(p, q)| p.dot(*q)).sum();
            // Rounding has eaten what is left of a direction.
            if along.is_nan() || along <= 0.0 {
                break;
            }
            let step = size / along;
            let mut next = 0.0;
            for (i, found) in found.iter_mut().enumerate() {
                *found += step * toward[i];
                left[i] -= step * image[i];
                next += left[i].length_squared();
            }
            let turn = next / size;
            toward.iter_mut().zip(&left).for_each(|(p, r)| *p = *r + turn * *p);
            size = next;
        }
        self.backward(&mut found);
        found.iter().zip(&self.scales).map(|(x, scale)| scale.transpose() * *x).collect()
    }

    /// A load as the system that is solved has it.
    fn given(&self, load: &[DVec3]) -> Vec<DVec3> {
        let mut given: Vec<_> = load.iter().zip(&self.scales).map(|(x, c)| *c * *x).collect();
        self.forward(&mut given);
        given
    }

    /// The product with the matrix that is solved for.
    fn product(&self, x: &[DVec3], image: &mut [DVec3], back: &mut [DVec3]) {
        back.copy_from_slice(x);
        self.backward(back);
        for (image, (x, t)) in image.iter_mut().zip(x.iter().zip(&*back)) {
            *image = *x - *t;
        }
        self.forward(image);
        image.iter_mut().zip(back).for_each(|(image, t)| *image += *t);
    }

    /// Divides by `I + L`.
    fn forward(&self, x: &mut [DVec3]) {
        for row in 0..x.len() {
            let mut value = x[row];
            for place in self.row(row) {
                value -= self.blocks[place] * x[self.columns[place] as usize];
            }
            x[row] = value;
        }
    }

    /// Divides by its transpose.
    fn backward(&self, x: &mut [DVec3]) {
        for row in (0..x.len()).rev() {
            let value = x[row];
            for place in self.row(row) {
                let block = &self.blocks[place];
                let change = DVec3::new(
                    block.x_axis.dot(value),
                    block.y_axis.dot(value),
                    block.z_axis.dot(value),
                );
                x[self.columns[place] as usize] -= change;
            }
        }
    }

    fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.rows[row] as usize..self.rows[row + 1] as usize
    }
}

/// The lower triangle whose product with its transpose is a positive matrix.
fn root(of: &DMat3) -> DMat3 {
    let [x, y, z] = [of.x_axis, of.y_axis, of.z_axis];
    let first = x / x.x.sqrt();
    let second = (y - first.y * first).with_x(0.0);
    let second = second / second.y.max(ROUNDING * y.y).sqrt();
    let third = z.z - first.z * first.z - second.z * second.z;
    DMat3::from_cols(first, second, DVec3::Z * third.max(ROUNDING * z.z).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles_testkit::generate::Random;

    /// A chain with some chords: a symmetric, positive system of so many blocks.
    fn chain(count: u32, random: &mut Random) -> (Vec<DMat3>, Vec<(u32, u32, DMat3)>) {
        let mut diagonal = vec![DMat3::IDENTITY; count as usize];
        let mut beside = Vec::new();
        for p in 0..count {
            for q in [p + 1, p + 7].into_iter().filter(|q| *q < count) {
                let along = random.vector();
                let block =
                    100.0 * DMat3::from_cols(along * along.x, along * along.y, along * along.z);
                diagonal[p as usize] += block;
                diagonal[q as usize] += block;
                beside.push(if p % 2 == 0 { (p, q, -block) } else { (q, p, -block) });
            }
        }
        (diagonal, beside)
    }

    #[test]
    fn what_is_solved_for_has_the_load_as_its_product() {
        let random = &mut Random::new(5);
        let (diagonal, beside) = chain(60, random);
        let load: Vec<_> = (0..60).map(|i| DVec3::new(f64::from(i).sin(), 1.0, -0.5)).collect();
        let x = Gradients::new(&diagonal, &beside).solved(&load, &load);
        let mut product: Vec<_> = diagonal.iter().zip(&x).map(|(a, x)| *a * *x).collect();
        for &(p, q, block) in &beside {
            product[p as usize] += block * x[q as usize];
            product[q as usize] += block * x[p as usize];
        }
        let off: f64 = product.iter().zip(&load).map(|(p, load)| p.distance_squared(*load)).sum();
        let whole: f64 = load.iter().map(|load| load.length_squared()).sum();
        // The residual is bounded where coordinates are scaled to the diagonal.
        assert!(off <= 100.0 * SMALL * whole, "{off} of {whole}");
    }

    #[test]
    fn a_system_without_couplings_is_solved_at_once() {
        let block = DMat3::from_cols_array(&[4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0]);
        let load = [DVec3::new(1.0, 2.0, 3.0)];
        let x = Gradients::new(&[block], &[]).solved(&load, &load);
        assert!((block * x[0]).distance(load[0]) < 1e-14);
    }
}
