// The exchange inside the page starts while the page is still loading.
if (!new URLSearchParams(location.search).has('rpc'))
  void import('./network/practice').then(({ startPractice }) => startPractice());
void import('./page');
