// Yellowstone's gRPC service, from the part of its protocol in geyser.proto.
import { fileURLToPath } from 'node:url';
import {
  type ChannelCredentials,
  type ChannelOptions,
  type Client,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type Metadata,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

export interface SubscribeRequest {
  readonly accounts: Readonly<Record<string, { readonly account: readonly string[] }>>;
  readonly commitment?: 'PROCESSED' | 'CONFIRMED' | 'FINALIZED';
  readonly fromSlot?: string;
  /** Answers a ping. A request with it leaves the subscription as it is. */
  readonly ping?: { readonly id: number };
}

export interface SubscribeUpdate {
  readonly account?: { readonly slot: string; readonly account: AccountInfo };
  readonly ping?: object;
}

export interface AccountInfo {
  readonly pubkey: Uint8Array;
  readonly owner: Uint8Array;
  readonly data: Uint8Array;
  readonly lamports: string;
  readonly writeVersion: string;
}

export type GeyserClient = Client & {
  subscribe(metadata: Metadata): ClientDuplexStream<Partial<SubscribeRequest>, SubscribeUpdate>;
};

const PROTO = fileURLToPath(new URL('geyser.proto', import.meta.url));
const { geyser } = loadPackageDefinition(loadSync(PROTO, { longs: String, defaults: true })) as unknown as {
  readonly geyser: {
    readonly Geyser: {
      new (host: string, channel: ChannelCredentials, options: ChannelOptions): GeyserClient;
      readonly service: ServiceDefinition;
    };
  };
};
export const geyserService = geyser.Geyser.service;

/** A client of the service at an http or https URL. It connects with the first subscription. */
export const connectGeyser = ({ protocol, host }: URL): GeyserClient =>
  new geyser.Geyser(host, protocol === 'https:' ? credentials.createSsl() : credentials.createInsecure(), {
    'grpc.initial_reconnect_backoff_ms': 250,
    'grpc.max_reconnect_backoff_ms': 5_000,
  });

/** Whether the connection or the service failed, and not the code that reads it. */
export const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && 'metadata' in error;
