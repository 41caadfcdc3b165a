//! Published shapes by name: the sizes of each model's `config.json` as released.

use super::{Architecture, Llama3Scaling, Rope, Shape};

/// One row of the table: architecture, the eight sizes, epsilon, rotary base, whether tied.
type Row = (&'static str, Architecture, [usize; 8], f32, f64, bool);

/// `[hidden, layers, heads, kv_heads, head_dim, intermediate, vocab, max_position]`.
const PUBLISHED: [Row; 6] = [
    (
        "llama-3.1-8b",
        Architecture::Llama,
        [4096, 32, 32, 8, 128, 14_336, 128_256, 131_072],
        1e-5,
        5e5,
        false,
    ),
    (
        "mistral-7b",
        Architecture::Mistral,
        [4096, 32, 32, 8, 128, 14_336, 32_768, 32_768],
        1e-5,
        1e6,
        false,
    ),
    (
        "qwen2.5-7b",
        Architecture::Qwen2,
        [3584, 28, 28, 4, 128, 18_944, 152_064, 131_072],
        1e-6,
        1e6,
        false,
    ),
    (
        "qwen2.5-1.5b",
        Architecture::Qwen2,
        [1536, 28, 12, 2, 128, 8960, 151_936, 131_072],
        1e-6,
        1e6,
        true,
    ),
    (
        "qwen2.5-0.5b",
        Architecture::Qwen2,
        [896, 24, 14, 2, 64, 4864, 151_936, 32_768],
        1e-6,
        1e6,
        true,
    ),
    (
        "smollm2-135m",
        Architecture::Llama,
        [576, 30, 9, 3, 64, 1536, 49_152, 8192],
        1e-5,
        1e5,
        true,
    ),
];

/// Llama 3.1's own rescaling; the only published shape here that has one.
const LLAMA_3_1: Llama3Scaling = Llama3Scaling {
    factor: 8.0,
    low_freq_factor: 1.0,
    high_freq_factor: 4.0,
    original_max_position: 8192,
};

impl Shape {
    /// The published shape of that name. `mistral-7b` is version 0.3, which has no sliding window.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let &(name, architecture, sizes, norm_eps, theta, tied) =
            PUBLISHED.iter().find(|row| row.0 == name)?;
        let [
            hidden,
            layers,
            heads,
            kv_heads,
            head_dim,
            intermediate,
            vocab,
            max_position,
        ] = sizes;
        Some(Self {
            name: name.into(),
            architecture,
            hidden,
            layers,
            heads,
            kv_heads,
            head_dim,
            intermediate,
            vocab,
            norm_eps,
            rope: Rope {
                theta,
                scaling: (name == "llama-3.1-8b").then_some(LLAMA_3_1),
            },
            qkv_bias: architecture == Architecture::Qwen2,
            tied,
            max_position,
        })
    }

    /// Every name that [`Shape::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PUBLISHED.iter().map(|row| row.0)
    }
}
