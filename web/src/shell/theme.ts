import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const key = 'tributary.theme';

export const chosenTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';

const changes = new EventTarget();
const themeChanges = changesOf(changes);

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  showTheme();
  changes.dispatchEvent(new Event('change'));
}

/** The chosen theme, also after the palette has changed it. */
export const useTheme = (): Theme => useSyncExternalStore(themeChanges, chosenTheme);

function changesOf(target: EventTarget) {
  return (notify: () => void): (() => void) => {
    target.addEventListener('change', notify);
    return () => target.removeEventListener('change', notify);
  };
}

/** The style sheet follows the system where the document names no theme. */
export function showTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Style sheets have the same limit. */
const phone = matchMedia('(max-width: 720px)');
const phoneChanges = changesOf(phone);

/** Whether the window is as narrow as a phone, so that controls move into the sheet and pages behind "More". */
export const usePhone = (): boolean => useSyncExternalStore(phoneChanges, () => phone.matches);
