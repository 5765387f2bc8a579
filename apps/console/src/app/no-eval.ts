/** The content policy forbids making functions of text. Zod tries it once unless told not to, and each page would report that. */
import { config } from 'zod';

config({ jitless: true });
