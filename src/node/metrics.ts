import { isHeavenError, type RpcNodeFailure, type SharedReadEvent } from 'heaven-pools';
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
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const requests = counter('heaven_http_requests_total', 'Requests answered.', 'path', 'status');
  const durations = new Histogram({
    name: 'heaven_http_request_duration_seconds',
    help: 'How long requests took.',
    labelNames: ['path'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const reads = counter(
    'heaven_reads_total',
    'Reads of chain data, by what answered them.',
    'method',
    'from',
  );
  const calls = counter('heaven_rpc_calls_total', 'Calls to the RPC nodes.', 'method', 'outcome');
  const callDurations = new Histogram({
    name: 'heaven_rpc_call_duration_seconds',
    help: 'How long calls to the RPC nodes took.',
    labelNames: ['method'],
    registers,
  });
  const slot = new Gauge({ name: 'heaven_rpc_slot', help: 'The newest slot that was read.', registers });
  const failures = counter(
    'heaven_rpc_node_failures_total',
    'Failures by RPC node, from 0.',
    'node',
    'method',
  );
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

  /** Finding the series of labels costs more than counting. There are few: a path is one of ours, or `unknown`. */
  const series = new Map<string, { requests: Counter.Internal; durations: Histogram.Internal<'path'> }>();
  const seriesOf = ({ path, status }: RequestEvent) => {
    const key = `${status} ${path}`;
    let found = series.get(key);
    if (found === undefined) {
      found = { requests: requests.labels(path, String(status)), durations: durations.labels(path) };
      series.set(key, found);
    }
    return found;
  };

  return {
    request: (event) => {
      const { requests, durations } = seriesOf(event);
      requests.inc();
      durations.observe(event.durationMs / 1000);
    },
    read: (event) => {
      const { type, method } = event;
      if (type === 'read') {
        reads.inc({ method, from: event.from });
        return;
      }
      calls.inc({ method, outcome: outcomeOf(event.error) });
      callDurations.observe({ method }, event.durationMs / 1000);
      if (event.slot !== undefined) slot.set(Number(event.slot));
    },
    nodeFailure: ({ node, method }) => failures.inc({ node, method }),
    document: async () => ({
      headers: { 'content-type': registry.contentType },
      body: await registry.metrics(),
    }),
  };
}

const outcomeOf = (error: unknown): string => {
  if (error === undefined) return 'ok';
  return isHeavenError(error, 'rpc-behind') ? 'behind' : 'error';
};
