import { quote } from './quote.mjs';

quote().then(
  ({ minimumOut }) => {
    document.querySelector('output').textContent = String(minimumOut);
  },
  (error) => {
    document.querySelector('output').textContent = String(error);
  },
);
