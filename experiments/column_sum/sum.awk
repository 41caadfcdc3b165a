{ sum += $2 }
END { printf "%.2f\n", sum }
