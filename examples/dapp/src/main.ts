// Loads the page and the practice mode's ledger in parallel.
import { startTheme } from './theme.js';

if (!new URLSearchParams(location.search).get('rpc')) void import('./model.js').catch(() => {});
void import('./page.js').then(({ startPage }) => startPage());
startTheme();
