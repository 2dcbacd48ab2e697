import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';

import { App } from './app';
import { NetworkProvider } from './network/network';
import { ReviewProvider } from './review/review';
import { WalletProvider } from './wallet/wallet';

// 'always': practice mode needs no connection, and a node's own errors say more than a paused query.
const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: 1, retryDelay: 500, staleTime: 10_000 },
    mutations: { networkMode: 'always' },
  },
});

createRoot(document.getElementById('page') as HTMLElement).render(
  <QueryClientProvider client={queries}>
    <NetworkProvider>
      <WalletProvider>
        <ReviewProvider>
          <App />
        </ReviewProvider>
      </WalletProvider>
    </NetworkProvider>
  </QueryClientProvider>,
);
