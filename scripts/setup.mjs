// `npm run setup [folder…]`: installs the packages of the root, or of these folders, if they are not installed.
import { install } from './packages.mjs';

const folders = process.argv.slice(2);
for (const folder of folders.length > 0 ? folders : ['.']) install(folder);
