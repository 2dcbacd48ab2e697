// The exchange inside the page is loaded beside it, instead of once it runs.
if (!new URLSearchParams(location.search).has('rpc')) void import('./network/practice');
void import('./page');
