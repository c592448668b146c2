import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const key = 'tributary.theme';

export const chosenTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  showTheme();
}

/** The style sheet follows the system where the document names no theme. */
export function showTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Style sheets have the same limit. */
const phone = matchMedia('(max-width: 720px)');

function subscribe(notify: () => void): () => void {
  phone.addEventListener('change', notify);
  return () => phone.removeEventListener('change', notify);
}

/** Whether the window is as narrow as a phone, so that controls move into the sheet and pages behind "More". */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches);
