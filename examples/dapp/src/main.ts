// The exchange inside the page starts while the page is still loading.
if (!new URLSearchParams(location.search).has('rpc'))
  void import('./network/practice').then(({ startPractice }) => startPractice());
void import('./page');
// A browser's first number format takes a phone a quarter of a second: now, while it waits for the scripts.
new Intl.NumberFormat(navigator.language).format(1);
