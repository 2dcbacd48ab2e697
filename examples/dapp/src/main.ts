// Starts to load: the page, and beside it the ledger of practice mode, so that neither waits for the other.
import { startTheme } from './theme.js';

if (!new URLSearchParams(location.search).get('rpc')) void import('./model.js').catch(() => {});
void import('./page.js').then(({ startPage }) => startPage());
startTheme();
