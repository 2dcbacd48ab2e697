// The page and the exchange inside it are loaded side by side: one after the other takes half as long again.
if (!new URLSearchParams(location.search).has('rpc')) void import('./network/practice');
void import('./page');
