import type { RpcNodeFailure, SharedReadEvent } from 'heaven-pools';
import type { HttpDocument, RequestEvent } from 'heaven-pools/http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A server's metrics, and their text in the Prometheus format. */
export interface Metrics {
  readonly request: (event: RequestEvent) => void;
  readonly read: (event: SharedReadEvent) => void;
  readonly nodeFailure: (failure: RpcNodeFailure) => void;
  readonly document: () => Promise<HttpDocument>;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Values that are read when the metrics are requested. */
export interface MetricSources {
  /** How many lines of the log could not be written; left out without a log. */
  readonly droppedLogLines?: (() => number) | undefined;
  /** How many mints are ready for launches; left out without a supply. */
  readonly mintsReady?: (() => number) | undefined;
}

export function createMetrics({ droppedLogLines, mintsReady }: MetricSources = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: readonly string[]) => {
    const made = new Counter({ name, help, labelNames, registers });
    return remembered((...labels) => made.labels(...labels));
  };
  const histogram = (name: string, help: string, labelName: string, buckets: number[]) => {
    const made = new Histogram({ name, help, labelNames: [labelName], buckets, registers });
    return remembered((label) => made.labels(label));
  };
  const requests = counter('heaven_http_requests_total', 'Requests answered.', 'path', 'status');
  const durations = histogram(
    'heaven_http_request_duration_seconds',
    'How long requests took.',
    'path',
    REQUEST_SECONDS,
  );
  const readHelp = 'Reads of chain data, by what they were answered from.';
  const reads = counter('heaven_reads_total', readHelp, 'method', 'from');
  const calls = counter('heaven_rpc_calls_total', 'Calls to the RPC nodes.', 'method', 'outcome');
  const callDurations = histogram(
    'heaven_rpc_call_duration_seconds',
    'How long calls to the RPC nodes took.',
    'method',
    CALL_SECONDS,
  );
  const slot = new Gauge({ name: 'heaven_rpc_slot', help: 'The newest slot that was read.', registers });
  const failureHelp = 'Failures of each RPC node, counted from 0 in their order.';
  const failures = counter('heaven_rpc_node_failures_total', failureHelp, 'node', 'method');
  if (droppedLogLines) {
    new Counter({
      name: 'heaven_log_lines_dropped_total',
      help: 'Log lines that could not be written.',
      registers,
      collect() {
        this.reset();
        this.inc(droppedLogLines());
      },
    });
  }
  if (mintsReady) {
    new Gauge({
      name: 'heaven_mints_ready',
      help: 'Mint addresses ready for launches.',
      registers,
      collect() {
        this.set(mintsReady());
      },
    });
  }

  return {
    request: ({ path, status, durationMs }) => {
      requests(path, String(status)).inc();
      durations(path).observe(durationMs / 1000);
    },
    read: (event) => {
      const { type, method } = event;
      if (type === 'read') {
        reads(method, event.from).inc();
        return;
      }
      calls(method, event.error === undefined ? 'ok' : 'error').inc();
      callDurations(method).observe(event.durationMs / 1000);
      if (event.slot !== undefined) slot.set(Number(event.slot));
    },
    nodeFailure: ({ node, method }) => failures(String(node), method).inc(),
    document: async () => ({
      headers: { 'content-type': registry.contentType },
      body: await registry.metrics(),
    }),
  };
}

/** Looks up each metric once, because finding it by its labels costs more than counting. */
function remembered<T>(find: (...labels: readonly string[]) => T): (...labels: readonly string[]) => T {
  const known = new Map<string, T>();
  return (...labels) => {
    const key = labels.join(' ');
    const value = known.get(key) ?? find(...labels);
    known.set(key, value);
    return value;
  };
}
