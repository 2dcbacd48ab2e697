/**
 * Imports a package that most users don't have. Its name is no literal, because bundlers would then include it. Metro rejects any other, so
 * this is a file of its own, which `browser` in `package.json` leaves out of apps and pages: the package is native.
 */
export const importPackage = (name: string) => import(/* @vite-ignore */ /* webpackIgnore: true */ name);
