import { useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h, onMounted, watch } from 'vue';

import LiveQuote from './LiveQuote.vue';
import './style.css';

/** The theme's own has no `main`, and a link whose name isn't its text. */
const notFound = () =>
  h('main', { class: 'vp-doc not-found' }, [
    h('h1', 'There is no such page'),
    h('p', h('a', { href: withBase('/') }, 'To the start')),
  ]);

/** Loads the search box and its index before anybody opens it. If that fails, the box loads them itself. */
const loadSearch = async () => {
  const { default: index } = await import('@localSearchIndex');
  await index.root?.();
  await import('vitepress/dist/client/theme-default/components/VPLocalSearchBox.vue');
};

/** The theme's home page has no `main`, other pages have. */
const Layout = defineComponent(() => {
  const { frontmatter } = useData();
  const mark = () => {
    const content = document.getElementById('VPContent');
    if (frontmatter.value.layout === 'home') content?.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  };
  onMounted(() => watch(() => frontmatter.value.layout, mark, { immediate: true, flush: 'post' }));
  // Safari has no `requestIdleCallback`.
  const whenIdle = (task: () => void) =>
    'requestIdleCallback' in window ? requestIdleCallback(task) : setTimeout(task, 2_000);
  onMounted(() => whenIdle(() => void loadSearch().catch(() => undefined)));
  return () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(LiveQuote), 'not-found': notFound });
});

export default { extends: DefaultTheme, Layout };
