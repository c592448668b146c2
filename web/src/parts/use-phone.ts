import { useSyncExternalStore } from 'react';

/** Style sheets have the same limit. */
const phone = matchMedia('(max-width: 720px)');

function subscribe(notify: () => void): () => void {
  phone.addEventListener('change', notify);
  return () => phone.removeEventListener('change', notify);
}

/** Whether the window is as narrow as a phone, so that controls move into the sheet and pages behind "More". */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches);
