declare module '@localSearchIndex' {
  const index: Readonly<Record<string, () => Promise<{ readonly default: string }>>>;
  export default index;
}

declare module '*.vue' {
  import type { Component } from 'vue';

  const component: Component;
  export default component;
}
