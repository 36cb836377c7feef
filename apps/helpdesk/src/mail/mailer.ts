import { Injectable, Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';

/** Sends mail by the server that SMTP_URL names. Without one a mail goes no further than the log. */
@Injectable()
export class Mailer {
  private readonly logger = new Logger(Mailer.name);
  private readonly transport: Transporter = process.env.SMTP_URL
    ? createTransport(process.env.SMTP_URL)
    : createTransport({ jsonTransport: true });

  async send(to: string, subject: string, text: string): Promise<void> {
    await this.transport.sendMail({ from: 'helpdesk@example.com', to, subject, text });
    this.logger.log(`${subject}: sent to ${to}`);
  }
}
