// A file that holds no application.
export const something = 1;
