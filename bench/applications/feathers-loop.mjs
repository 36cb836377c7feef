import { serve } from './feathers.mjs';

export const start = (url) => serve(url, { users: 'users', staff: 'staff', loops: true });
