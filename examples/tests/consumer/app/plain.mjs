import { quote } from './quote.mjs';

console.log(String((await quote()).minimumOut));
