"""Peers of Starling: the same velocity by NumPy and PyTorch, and matrix products by BLAS.

Reads one JSON object a line from standard input and answers each with one. The tokens are an .npy
file [n, d]; the velocity is that of softmax attention on the unit sphere with Q = K = V = I:

    v_i = P_x sum_j w_ij x_j,   w_i = softmax_j(beta <x_i, x_j>)
"""
import json
import os
import sys
import time

import numpy as np

try:
    import torch

    no_torch = None
except Exception as e:  # a broken installation is no reason to stop either
    torch = None
    no_torch = f"PyTorch cannot be imported by {sys.executable}: {e} (Debian: apt-get install python3-torch, then STARLING_PYTHON=/usr/bin/python3)"


def blas_library():
    """File name of the BLAS that NumPy has loaded, or what the build says where /proc is absent."""
    np.ones((64, 64)) @ np.ones((64, 64))
    try:
        with open("/proc/self/maps") as maps:
            files = {line.split()[-1] for line in maps if "/" in line}
        return ", ".join(sorted({f.rsplit("/", 1)[-1] for f in files if "blas" in f.rsplit("/", 1)[-1].lower()}))
    except OSError:
        return ""


def project(x, u):
    return u - np.sum(u * x, axis=1, keepdims=True) * x


def numpy_naive(x, beta, causal):
    """float64, the n x n matrix stored, as the papers' scripts do it."""
    a = np.exp(beta * (x @ x.T))
    if causal:
        a = np.tril(a)
    a /= a.sum(axis=1, keepdims=True)
    return project(x, a @ x)


def numpy_chunked(x, beta, causal, rows=256):
    """256 rows at a time, the largest score subtracted, dead keys left out."""
    v = np.empty_like(x)
    n = len(x)
    for i in range(0, n, rows):
        q = x[i : i + rows]
        keys = x[: i + len(q)] if causal else x
        s = (beta * q) @ keys.T
        if causal:
            s[:, i:][np.triu_indices(len(q), 1)] = -np.inf
        s -= s.max(axis=1, keepdims=True)
        np.exp(s, out=s)
        s /= s.sum(axis=1, keepdims=True)
        v[i : i + rows] = project(q, s @ keys)
    return v


def torch_softmax(x, beta, causal):
    s = beta * (x @ x.T)
    if causal:
        s = s.masked_fill(torch.ones(s.shape, dtype=torch.bool).triu(1), float("-inf"))
    u = torch.softmax(s, dim=1) @ x
    return u - (u * x).sum(dim=1, keepdim=True) * x


def torch_fused(x, beta, causal):
    q = x[None, None] * (beta * x.shape[1] ** 0.5)
    u = torch.nn.functional.scaled_dot_product_attention(q, x[None, None], x[None, None], is_causal=causal)[0, 0]
    return u - (u * x).sum(dim=1, keepdim=True) * x


class Blas:
    """The two matrix products of attention and nothing else, into memory that is there already."""

    def __init__(self):
        self.s = self.u = None

    def __call__(self, x, beta, causal):
        n = len(x)
        if self.s is None or self.s.shape != (n, n) or self.s.dtype != x.dtype:
            self.s = np.empty((n, n), x.dtype)
        if self.u is None or self.u.shape != x.shape or self.u.dtype != x.dtype:
            self.u = np.empty_like(x)
        # A copy, or NumPy would see X X^T and do half of the work.
        np.matmul(x, self.keys.T, out=self.s)
        np.matmul(self.s, x, out=self.u)
        return self.u

    def prepare(self, x):
        self.keys = x.copy()


blas = Blas()
ways = {"numpy": numpy_naive, "numpy-chunked": numpy_chunked, "blas": blas}
if torch is not None:
    # Debian's build begins with one thread, whatever the machine has: all cores, as the other peers.
    if "OMP_NUM_THREADS" not in os.environ and hasattr(os, "sched_getaffinity"):
        torch.set_num_threads(len(os.sched_getaffinity(0)))
    ways["torch"] = torch_softmax
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        ways["torch-fused"] = torch_fused


def about():
    library = blas_library()
    missing = {}
    if "openblas" not in library.lower():
        missing["blas"] = (
            f"NumPy of {sys.executable} multiplies with '{library or 'an unknown library'}', not with OpenBLAS"
            " (Debian: apt-get install libopenblas0-pthread)"
        )
    if torch is None:
        missing["torch"] = missing["torch-fused"] = no_torch
    elif "torch-fused" not in ways:
        missing["torch-fused"] = f"PyTorch {torch.__version__} has no scaled_dot_product_attention"
    return {
        "python": sys.executable,
        "python_version": sys.version.split()[0],
        "numpy": np.__version__,
        "blas": library,
        "torch": None if torch is None else torch.__version__,
        "torch_threads": None if torch is None else torch.get_num_threads(),
        "missing": missing,
    }


state = {}


def compute(r):
    key = (r["x"], r["type"], r["way"].startswith("torch"))
    if state.get("key") != key:
        x = np.ascontiguousarray(np.load(r["x"]), dtype=r["type"])
        state.clear()
        state.update(key=key, x=torch.from_numpy(x) if key[2] else x)
    x = state["x"]
    if r["way"] == "blas":
        blas.prepare(x)
    way = ways[r["way"]]
    cpu, wall = time.process_time(), time.perf_counter()
    v = way(x, r["beta"], r["causal"])
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if r.get("save"):
        np.save(r["save"], np.asarray(v, dtype="float64"))
    return {"wall": wall, "cpu": cpu}


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = about() if request["way"] == "about" else compute(request)
    except Exception as e:
        answer = {"error": f"{type(e).__name__}: {e}"}
    print(json.dumps(answer), flush=True)
