// Loads the page and the practice mode's ledger in parallel. Until the page is there, its buttons are disabled.
import { byId, show } from './dom.js';
import { startTheme } from './theme.js';

if (!new URLSearchParams(location.search).get('rpc')) void import('./model.js').catch(() => {});
import('./page.js').then(
  ({ startPage }) => startPage(),
  () =>
    show(
      byId('connection-problem'),
      'The page could not be loaded. Check your connection, and load it again.',
    ),
);
startTheme();
