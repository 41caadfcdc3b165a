use strict;
use warnings;

my $sum = 0;
while (<>) {
    $sum += (split)[1];
}
printf "%.2f\n", $sum;
