const created = /^([^\S\n]*)const app = await NestFactory\.create\(AppModule\);$/m;
const importLine = "import type { NestExpressApplication } from '@nestjs/platform-express';";

/**
 * The text of a `main.ts` whose answers do not say that Express makes them. One that is not as the Nest CLI writes it is
 * left as it is.
 */
export function withoutPoweredBy(text: string): string {
  if (!created.test(text) || text.includes('NestExpressApplication')) return text;
  const quiet = text.replace(
    created,
    "$1const app = await NestFactory.create<NestExpressApplication>(AppModule);\n$1app.disable('x-powered-by');",
  );
  return quiet.replace(/^(import [^\n]*@nestjs\/core['"];?)$/m, `$1\n${importLine}`);
}
