// Light and dark: follows the system until the user chooses.
import { byId } from './dom.js';

const KEY = 'theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Some browsers refuse storage.
    return null;
  }
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? system.matches : theme === 'dark';
}

function render(): void {
  byId('theme').ariaPressed = String(isDark());
}

export function startTheme(): void {
  const chosen = stored();
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen;
  system.addEventListener('change', render);
  const button = byId<HTMLButtonElement>('theme');
  button.disabled = false;
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // The choice then lasts until the page is reloaded.
    }
    render();
  });
  render();
}
