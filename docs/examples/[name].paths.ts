import { examplePages } from '../.vitepress/examples.js';

export default {
  watch: ['../../examples/**'],
  paths: () => examplePages().map(({ name, content }) => ({ params: { name }, content })),
};
