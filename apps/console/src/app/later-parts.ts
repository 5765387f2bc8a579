/** What a signed-in admin sees: nobody needs it to sign in, so it is fetched meanwhile. */
export const loadSignedIn = () => import('./SignedIn.tsx');
