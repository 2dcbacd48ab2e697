# For workerd itself: bundle worker.ts into worker.js (esbuild --bundle --format=esm
# --platform=node --conditions=workerd), then
# `RPC_URL=https://… npx workerd serve workerd.capnp`.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [(name = "RPC_URL", fromEnvironment = "RPC_URL")],
);
