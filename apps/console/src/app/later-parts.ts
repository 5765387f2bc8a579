/** Loads the signed-in part during the sign-in, which does not need it. */
export const loadSignedIn = () => import('./SignedIn.tsx');
