import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { Mailer } from '../mail/mailer.js';
import { ticketEndpoints } from './ticket.endpoints.js';
import { Ticket } from './ticket.entity.js';

@Module({
  imports: [MikroOrmModule.forFeature([Ticket]), EndpointsModule.forFeature(ticketEndpoints)],
  providers: [Mailer],
})
export class TicketModule {}
