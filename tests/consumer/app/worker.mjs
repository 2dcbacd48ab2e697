import { quote } from './quote.mjs';

export default {
  async fetch() {
    return new Response(String((await quote()).minimumOut));
  },
};
