/** The signed-in part: not needed to sign in, so it is loaded during the sign-in. */
export const loadSignedIn = () => import('./SignedIn.tsx');
