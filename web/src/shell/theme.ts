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
