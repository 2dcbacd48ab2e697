// A wallet of the Wallet Standard, to be put into a page before its own scripts. It signs for real, and answers as the test
// tells it.

import type { Address } from '@solana/kit';

/** How the wallet answers when it is asked to sign. */
export type WalletMode = 'sign' | 'refuse' | 'wait' | 'change';

export interface TestWallet {
  mode: WalletMode;
  /** How often it was asked to sign. */
  asked: number;
  /** Bytes of the message that it signs others for. */
  replace?: readonly [from: readonly number[], to: readonly number[]];
  /** Signs what it was asked to sign before and kept waiting. */
  answer(): void;
}

export interface TestKey {
  /** PKCS #8 of an Ed25519 key, in base64. */
  readonly pkcs8: string;
  readonly publicKey: readonly number[];
  readonly address: Address;
}

/** Runs in the page: it may use nothing from outside. */
export function installTestWallet({ pkcs8, publicKey, address }: TestKey): void {
  const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const chains = ['solana:mainnet', 'solana:localnet'];
  const account = {
    address,
    publicKey: Uint8Array.from(publicKey),
    chains,
    features: ['solana:signTransaction'],
  };
  const accounts = [account];
  const waiting: (() => void)[] = [];
  const control: TestWallet = { mode: 'sign', asked: 0, answer: () => waiting.shift()?.() };
  (globalThis as Record<string, unknown>).testWallet = control;

  const sign = async (transaction: Uint8Array): Promise<Uint8Array> => {
    const key = await crypto.subtle.importKey('pkcs8', bytesOf(pkcs8), 'Ed25519', false, ['sign']);
    const signed = Uint8Array.from(transaction);
    // The count of signatures comes first, then they.
    const message = signed.subarray(1 + 64 * (signed[0] ?? 0));
    // 65,536 compute units more than a trade or a launch asks for.
    if (control.mode === 'change') {
      const at = message.findIndex((byte, index) => {
        const next = message.slice(index + 1, index + 4).join();
        return byte === 2 && (next === '64,13,3' || next === '128,26,6');
      });
      message[at + 3] = (message[at + 3] ?? 0) + 1;
    }
    const [from, to] = control.replace ?? [];
    const found = message.findIndex(
      (_, index) => from?.every((byte, offset) => message[index + offset] === byte) === true,
    );
    if (to) message.set(to, found);
    // The accounts follow the version, the header and their count. A signer's place is that of its signature.
    const accounts = (message[0] as number) < 128 ? 4 : 5;
    let place = 0;
    while (publicKey.some((byte, at) => message[accounts + 32 * place + at] !== byte)) place += 1;
    signed.set(new Uint8Array(await crypto.subtle.sign('Ed25519', key, message.slice())), 1 + 64 * place);
    return signed;
  };

  const wallet = {
    version: '1.0.0',
    name: 'Test wallet',
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA5IDkiPjxjaXJjbGUgY3g9IjQuNSIgY3k9IjQuNSIgcj0iNC41IiBmaWxsPSIjYjA0ODlhIi8+PC9zdmc+',
    chains,
    accounts,
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => {} },
      'standard:events': { version: '1.0.0', on: () => () => {} },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          control.asked += 1;
          if (control.mode === 'refuse')
            throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
          if (control.mode === 'wait') await new Promise<void>((resolve) => waiting.push(resolve));
          return [{ signedTransaction: await sign(transaction) }];
        },
      },
    },
  };
  const register = ({ register: add }: { register: (wallet: object) => void }) => add(wallet);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail));
}
