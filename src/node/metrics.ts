import { isHeavenError, type RpcNodeFailure, type RpcNodeState, type SharedReadEvent } from 'heaven-pools';
import type { HttpDocument, RequestEvent } from 'heaven-pools/http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import { version } from '../../package.json';

/** The metrics besides those of Node: what each one says, and its labels. */
const METRICS = {
  heaven_build_info: ['1, for the version that runs.', 'version'],
  heaven_http_requests_total: ['Requests answered.', 'path', 'status'],
  heaven_http_request_duration_seconds: ['How long requests took.', 'path'],
  heaven_http_requests_refused_total: ['Requests refused, by error code.', 'reason'],
  heaven_http_requests_waiting: ['Requests that wait for their turn.'],
  heaven_http_requests_in_work: ['Requests that have begun and are not answered.'],
  heaven_rate_limit_fallbacks_total: ['Requests that this process counted on its own, because Redis failed.'],
  heaven_reads_total: ['Reads of chain data, by what answered them.', 'method', 'from'],
  heaven_rpc_calls_total: ['Calls to the RPC nodes.', 'method', 'outcome'],
  heaven_rpc_call_duration_seconds: ['How long calls to the RPC nodes took.', 'method'],
  heaven_rpc_slot: ['The newest slot that was read.'],
  heaven_rpc_node_failures_total: ['Failures by RPC node, from 0.', 'node', 'host', 'method'],
  heaven_rpc_node_cooldown_seconds: ['How long an RPC node is only a last resort.', 'node', 'host'],
  heaven_rpc_node_slots_behind: ['Slots that an RPC node lacked when last asked.', 'node', 'host'],
  heaven_mints_ready: ['Mint addresses ready for launches.'],
  heaven_log_lines_dropped_total: ['Log lines that could not be written.'],
} as const satisfies Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

/** Node's metrics that are named like counters, and aren't any. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Values that are read when the metrics are requested. What is left out has no metric. */
export interface MetricSources {
  readonly waiting?: () => number;
  readonly inWork?: () => number;
  readonly mintsReady?: (() => number) | undefined;
  readonly nodes?: (() => readonly RpcNodeState[]) | undefined;
  /** Of each node. Its URL may hold a key. */
  readonly hosts?: readonly string[];
}

/** A server's metrics, and their text in the Prometheus format. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ waiting, inWork, mintsReady, nodes, hosts = [] }: MetricSources = {}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const configOf = (name: keyof typeof METRICS) => {
    const [help, ...labelNames]: readonly string[] = METRICS[name];
    return { name, help: help as string, labelNames, registers: [registry] };
  };
  const counter = (name: keyof typeof METRICS) => new Counter(configOf(name));
  const gauge = (name: keyof typeof METRICS) => new Gauge(configOf(name));
  const read = (name: keyof typeof METRICS, value: (() => number) | undefined) => {
    const collect = function (this: Gauge) {
      if (value) this.set(value());
    };
    if (value) new Gauge({ ...configOf(name), collect });
  };
  const labelsOf = (node: number) => ({ node, host: hosts[node] ?? '' });
  const perNode = (name: keyof typeof METRICS, toValue: (state: RpcNodeState) => number) => {
    const collect = function (this: Gauge) {
      for (const [node, state] of nodes?.().entries() ?? []) this.set(labelsOf(node), toValue(state));
    };
    if (nodes) new Gauge({ ...configOf(name), collect });
  };

  gauge('heaven_build_info').set({ version }, 1);
  const requests = counter('heaven_http_requests_total');
  const durations = new Histogram({
    ...configOf('heaven_http_request_duration_seconds'),
    buckets: REQUEST_SECONDS,
  });
  const refused = counter('heaven_http_requests_refused_total');
  read('heaven_http_requests_waiting', waiting);
  read('heaven_http_requests_in_work', inWork);
  const fallbacks = counter('heaven_rate_limit_fallbacks_total');
  const reads = counter('heaven_reads_total');
  const calls = counter('heaven_rpc_calls_total');
  const callDurations = new Histogram(configOf('heaven_rpc_call_duration_seconds'));
  const slot = gauge('heaven_rpc_slot');
  const failures = counter('heaven_rpc_node_failures_total');
  perNode('heaven_rpc_node_cooldown_seconds', ({ cooldownMs }) => cooldownMs / 1_000);
  perNode('heaven_rpc_node_slots_behind', ({ slotsBehind }) => slotsBehind);
  read('heaven_mints_ready', mintsReady);
  const droppedLines = counter('heaven_log_lines_dropped_total');

  /** Finding the series of labels costs more than counting. There are few: a path is one of ours, or `unknown`. */
  const series = new Map<string, { requests: Counter.Internal; durations: Histogram.Internal<string> }>();
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
    request: (event: RequestEvent) => {
      const { requests, durations } = seriesOf(event);
      requests.inc();
      durations.observe(event.durationMs / 1_000);
      const { code: reason, error } = event;
      // The others are errors of the service, or nobody is there to be refused.
      if (reason !== undefined && reason !== 'aborted' && error === undefined) refused.inc({ reason });
    },
    read: (event: SharedReadEvent) => {
      const { type, method } = event;
      if (type === 'read') return reads.inc({ method, from: event.from });
      const { error } = event;
      const isBehind = isHeavenError(error, 'rpc-behind');
      calls.inc({ method, outcome: error === undefined ? 'ok' : isBehind ? 'behind' : 'error' });
      callDurations.observe({ method }, event.durationMs / 1_000);
      if (event.slot !== undefined) slot.set(Number(event.slot));
    },
    nodeFailure: ({ node, method }: RpcNodeFailure) => failures.inc({ ...labelsOf(node), method }),
    fallback: () => fallbacks.inc(),
    droppedLine: () => droppedLines.inc(),
    document: async (): Promise<HttpDocument> => ({
      headers: { 'content-type': registry.contentType },
      body: await registry.metrics(),
    }),
  };
}
