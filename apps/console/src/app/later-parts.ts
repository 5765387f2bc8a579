/** What a signed-in admin sees: no one needs it to sign in, so it is fetched meanwhile. */
export const loadSignedIn = () => import('./SignedIn.tsx');
