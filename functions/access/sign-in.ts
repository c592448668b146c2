import type { signInRoutes } from '../../shared/contract/routes/sign-in.ts';
import type { SignInDirections } from '../../shared/contract/sign-in.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Tells whoever is not signed in yet where that is done. */
export const signInDirections = (directions: SignInDirections): Implementations<typeof signInRoutes> => ({
  getSignInDirections: async () => ({ status: 200, body: directions }),
});
